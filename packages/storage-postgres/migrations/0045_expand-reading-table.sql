CREATE TABLE "readings" (
	"client_id" uuid NOT NULL,
	"verification_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"reader_version" text NOT NULL,
	"read_at" timestamp(3) with time zone NOT NULL,
	"data" jsonb NOT NULL,
	CONSTRAINT "readings_pk" PRIMARY KEY("client_id","verification_id","file_id")
);
--> statement-breakpoint
ALTER TABLE "readings" ADD CONSTRAINT "readings_known_verification" FOREIGN KEY ("client_id","verification_id") REFERENCES "public"."verifications"("client_id","id") ON DELETE no action ON UPDATE no action;