CREATE TABLE `client_faces` (
	`client_id` text PRIMARY KEY NOT NULL,
	`display_name` text,
	`colour` text,
	`support_address` text,
	`privacy_address` text,
	`logo_id` text,
	`logo_width` integer,
	`logo_height` integer,
	`logo` blob,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "client_faces_whole_logo" CHECK(("client_faces"."logo_id" is null) = ("client_faces"."logo" is null)
        and ("client_faces"."logo_id" is null) = ("client_faces"."logo_width" is null) and ("client_faces"."logo_id" is null) = ("client_faces"."logo_height" is null))
);
