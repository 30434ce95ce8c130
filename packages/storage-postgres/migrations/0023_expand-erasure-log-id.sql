CREATE TABLE "erasure_logs" (
	"id" smallint NOT NULL,
	"log_id" text NOT NULL,
	CONSTRAINT "erasure_logs_pk" PRIMARY KEY("id"),
	CONSTRAINT "erasure_logs_one_row" CHECK ("erasure_logs"."id" = 1)
);
