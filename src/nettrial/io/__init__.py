"""Networks in and out: files and objects of other libraries."""
