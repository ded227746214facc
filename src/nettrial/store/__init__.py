"""Study files: the durable record of a run, unit by unit; and shards of a study elsewhere."""

from __future__ import annotations

from .file import StudyFile
from .finished import FinishedStudy
from .merge import merge_shards
from .status import StudyStatus, study_status
from .stored_study import StoredStudy
from .units import IncompleteStudyError, Outcome, Unit

__all__ = [
    "FinishedStudy",
    "IncompleteStudyError",
    "Outcome",
    "StoredStudy",
    "StudyFile",
    "StudyStatus",
    "Unit",
    "merge_shards",
    "study_status",
]
