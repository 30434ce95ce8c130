DROP INDEX `verifications_one_active`;--> statement-breakpoint
DROP INDEX `verifications_steps`;--> statement-breakpoint
CREATE UNIQUE INDEX `verifications_one_active` ON `verifications` (`client_id`,`subject_reference`,(case when "resolved_at" is null then '' else "status" || ' ' || "type" || ' ' || "id" end));--> statement-breakpoint
CREATE INDEX `verifications_steps` ON `verifications` (`client_id`,`status`,`type`,`current_step`,`requested_at`,`id`,`subject_reference`) WHERE "verifications"."status" <> 'pending' or "verifications"."current_step" > 0;
