ALTER TABLE `clients` ADD `file_access` integer DEFAULT 0 NOT NULL
	CONSTRAINT "clients_file_access_yes_or_no" CHECK("clients"."file_access" in (0, 1));
