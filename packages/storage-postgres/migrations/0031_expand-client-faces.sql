CREATE TABLE "client_faces" (
	"client_id" uuid NOT NULL,
	"display_name" text,
	"colour" text,
	"support_address" text,
	"privacy_address" text,
	"logo_id" "bytea",
	"logo_width" integer,
	"logo_height" integer,
	"logo" "bytea",
	CONSTRAINT "client_faces_pk" PRIMARY KEY("client_id"),
	CONSTRAINT "client_faces_whole_logo" CHECK (num_nulls("client_faces"."logo_id", "client_faces"."logo_width", "client_faces"."logo_height", "client_faces"."logo") in (0, 4))
);
--> statement-breakpoint
ALTER TABLE "client_faces" ADD CONSTRAINT "client_faces_client" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;