CREATE TABLE "client_retention" (
	"client_id" uuid NOT NULL,
	"policy" jsonb,
	"planned_by" text,
	"planned_after" uuid,
	CONSTRAINT "client_retention_pk" PRIMARY KEY("client_id")
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"client_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"verification_id" uuid NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"rule" text NOT NULL,
	"steps" integer NOT NULL,
	"files" integer NOT NULL,
	"events" integer NOT NULL,
	"hash" "bytea" NOT NULL,
	"finished_at" timestamp(3) with time zone,
	CONSTRAINT "erasures_pk" PRIMARY KEY("client_id","number"),
	CONSTRAINT "erasures_number" UNIQUE("number"),
	CONSTRAINT "erasures_number_from_one" CHECK ("erasures"."number" >= 1),
	CONSTRAINT "erasures_known_rule" CHECK ("erasures"."rule" in ('requested', 'approved_after_end', 'approved_longest', 'rejected', 'unfinished', 'log')),
	CONSTRAINT "erasures_hash_length" CHECK (octet_length("erasures"."hash") = 32)
);
--> statement-breakpoint
CREATE TABLE "retention_runs" (
	"id" smallint NOT NULL,
	"last_run_at" timestamp(3) with time zone NOT NULL,
	"paused_until" timestamp(3) with time zone,
	CONSTRAINT "retention_runs_pk" PRIMARY KEY("id"),
	CONSTRAINT "retention_runs_one_row" CHECK ("retention_runs"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "client_retention" ADD CONSTRAINT "client_retention_client" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;