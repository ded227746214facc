"""Classical and clustered tests on arrays; nothing here knows a network or a model.

Many trials are one call, by one convention:

- A test of one list of values (or of lists that belong together: pairs, groups, labels with
  scores) takes `axis`, the axis that holds them; all others are trials.
- A test of a table takes it on the last axes, (..., rows, columns); the axes before are trials.
- A test of counts or proportions takes arrays that broadcast, one entry per trial.
- Every number in the result has the shape of the trials; what belongs to each pair, group or
  criterion of a trial (`Comparisons`, means, matrices) follows on further axes.
- A trial has the values that it would have alone; one that would be refused alone is refused
  with the whole call, never left out.

The maximal-t comparisons, which integrate over one covariance matrix, and the effect sizes as
functions of their own, whose exact intervals are searches, take one data set per call.
"""

from __future__ import annotations

from ..core.lazy_names import lazily

# public name -> module that holds it; loaded at first use
_HOME = {
    "AdjustedPvalues": "adjusted",
    "BayesianComparison": "bayes_correlated",
    "BetaPosterior": "beta",
    "Comparisons": "comparisons",
    "Contributions": "contributions",
    "HierarchicalPosterior": "bayes_hierarchical",
    "NormalQuantiles": "quantiles",
    "OmnibusResult": "omnibus",
    "ProportionInterval": "intervals",
    "Recommendation": "recommendation",
    "RopePosterior": "bayes_signed_rank",
    "TestResult": "result",
    "TestSpecification": "catalog",
    "adjust": "multiplicity",
    "adjust_pairs": "pair_adjustments",
    "adjusted_pvalues": "adjusted",
    "aligned_friedman_test": "aligned_ranks",
    "almost_stochastic_order": "stochastic_order",
    "bayesian_correlated_t_test": "bayes_correlated",
    "bayesian_hierarchical_test": "bayes_hierarchical",
    "bayesian_sign_test": "bayes_signed_rank",
    "bayesian_signed_rank_test": "bayes_signed_rank",
    "beta_posterior": "beta",
    "binomial_test": "proportions",
    "bootstrap_test": "resampling",
    "cliffs_delta": "effect_ranks",
    "cluster_mean_test": "clustered",
    "cluster_paired_test": "clustered",
    "cluster_contributions": "contributions",
    "cochran_q_test": "cochran",
    "cohens_d": "effect_size",
    "cohens_dz": "effect_size",
    "compact_letters": "letters",
    "compare_cv_results": "cv_results",
    "conover_test": "friedman_posthoc",
    "contribution_comparisons": "max_t",
    "control_comparisons": "nemenyi",
    "corrected_repeated_kfold_t_test": "cross_validation",
    "corrected_resampled_t_test": "cross_validation",
    "critical_difference": "nemenyi",
    "cv5x2_f_test": "cross_validation",
    "cv5x2_t_test": "cross_validation",
    "delong_comparisons": "delong_several",
    "delong_multiclass_test": "delong_areas",
    "delong_omnibus_test": "delong_several",
    "delong_partial_test": "delong_areas",
    "delong_test": "delong",
    "delong_unpaired_test": "delong_unpaired",
    "dunn_test": "kruskal",
    "equivalence_test": "equivalence",
    "friedman_test": "friedman",
    "games_howell": "anova_posthoc",
    "hedges_g": "effect_size",
    "hodges_lehmann": "shift",
    "hotelling_paired_test": "multivariate",
    "hotelling_two_sample_test": "multivariate",
    "iman_davenport_test": "friedman",
    "kfold_t_test": "cross_validation",
    "kruskal_wallis_test": "kruskal",
    "mann_whitney_test": "mann_whitney",
    "manova_test": "manova",
    "max_t_comparisons": "max_t",
    "mcnemar_power": "power",
    "mcnemar_sample_size": "power",
    "mcnemar_test": "mcnemar",
    "mcnemar_test_predictions": "mcnemar",
    "nemenyi_test": "nemenyi",
    "network_hac_test": "network_hac",
    "normal_quantiles": "quantiles",
    "noninferiority_test": "equivalence",
    "odds_ratio": "effect_proportions",
    "one_sample_t_test": "paired",
    "oneway_anova": "anova",
    "paired_comparisons": "anova_posthoc",
    "paired_t_test": "paired",
    "paired_z_test": "paired",
    "permutation_test": "resampling",
    "pooled_t_test": "paired",
    "proportion_equivalence_test": "proportion_score",
    "proportion_interval": "intervals",
    "proportion_z_test": "proportions",
    "rank_biserial": "effect_ranks",
    "recommend": "recommendation",
    "quade_comparisons": "quade",
    "quade_test": "quade",
    "random_effects": "meta",
    "repeated_measures_anova": "anova",
    "replicate_comparisons": "max_t",
    "risk_difference": "effect_proportions",
    "rsc_paired_t_test": "rsc",
    "rsc_unpaired_t_test": "rsc",
    "siegel_test": "friedman_posthoc",
    "sign_flip_test": "cluster_flips",
    "sign_power": "power",
    "sign_sample_size": "power",
    "sign_test": "sign",
    "sign_test_counts": "sign",
    "skillings_mack_test": "skillings_mack",
    "specification": "catalog",
    "t_alpha": "power_solved",
    "t_effect_size": "power_solved",
    "t_power": "power",
    "t_sample_size": "power",
    "tukey_hsd": "anova_posthoc",
    "two_proportion_score_test": "proportion_score",
    "two_proportion_test": "proportions",
    "two_proportions_power": "power_proportions",
    "two_proportions_sample_size": "power_proportions",
    "two_sample_permutation_test": "permutation_independent",
    "welch_t_test": "paired",
    "wilcoxon_test": "signed_rank",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazily(__name__, _HOME)
