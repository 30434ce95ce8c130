-- When the second factor was confirmed; null for one that an earlier version set up.
ALTER TABLE staff_two_factors ADD COLUMN confirmed_at TIMESTAMPTZ;
