-- Version 4: standard names. The views are no longer part of the checked schema; the program creates them.
ALTER TABLE form RENAME TO tag_layout;
ALTER TABLE tag_layout RENAME COLUMN layout TO names;
ALTER TABLE tag_layout RENAME COLUMN kinds TO slots;
ALTER TABLE section RENAME COLUMN form TO layout;
ALTER TABLE value RENAME TO tag_value;
ALTER TABLE run RENAME TO key_run;
ALTER TABLE block RENAME TO key_block;
ALTER TABLE span RENAME TO source_span;
