CREATE TABLE `erasure_logs` (
	`id` integer PRIMARY KEY NOT NULL,
	`log_id` text NOT NULL,
	CONSTRAINT "erasure_logs_one_row" CHECK("erasure_logs"."id" = 1)
);
