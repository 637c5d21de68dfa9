"""A fabric from the tables or the NetBox of an experiment: written, checked, and compared with what runs."""
