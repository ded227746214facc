"""Study files: the durable record of a run, unit by unit."""

from __future__ import annotations

from .file import StudyFile
from .finished import FinishedStudy, open_study
from .status import StudyStatus, study_status
from .stored import StoredStudy
from .units import IncompleteStudyError, Outcome, Unit

__all__ = [
    "FinishedStudy",
    "IncompleteStudyError",
    "Outcome",
    "StoredStudy",
    "StudyFile",
    "StudyStatus",
    "Unit",
    "open_study",
    "study_status",
]
