CREATE TABLE "webhook_attempts" (
	"client_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"duration_ms" double precision NOT NULL,
	"request" text NOT NULL,
	"status" integer,
	"answer" text,
	"fault" text,
	CONSTRAINT "webhook_attempts_pk" PRIMARY KEY("client_id","endpoint_id","event_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"client_id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"verification_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"type" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"state" text NOT NULL,
	"attempts" integer NOT NULL,
	"due_at" timestamp(3) with time zone,
	CONSTRAINT "webhook_deliveries_pk" PRIMARY KEY("client_id","endpoint_id","event_id"),
	CONSTRAINT "webhook_deliveries_known_state" CHECK ("webhook_deliveries"."state" in ('waiting', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_due_while_waiting" CHECK (("webhook_deliveries"."due_at" is not null) = ("webhook_deliveries"."state" = 'waiting'))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"client_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	"name" text NOT NULL,
	"types" jsonb NOT NULL,
	"state" text NOT NULL,
	"since" timestamp(3) with time zone NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"created_by" text,
	"secret" text NOT NULL,
	"secret_wrapped_by" text,
	"previous_secret" text,
	"previous_secret_wrapped_by" text,
	"previous_secret_valid_until" timestamp(3) with time zone,
	"failing_since" timestamp(3) with time zone,
	"slot" smallint,
	"due_at" timestamp(3) with time zone,
	"wakes" bigint DEFAULT 0 NOT NULL,
	"lease_token" text,
	"leased_until" timestamp(3) with time zone,
	CONSTRAINT "webhook_endpoints_pk" PRIMARY KEY("client_id","id"),
	CONSTRAINT "webhook_endpoints_slot_in_range" CHECK ("webhook_endpoints"."slot" between 1 and 10),
	CONSTRAINT "webhook_endpoints_known_state" CHECK ("webhook_endpoints"."state" in ('active', 'paused', 'disabled')),
	CONSTRAINT "webhook_endpoints_previous_secret_whole" CHECK (("webhook_endpoints"."previous_secret" is null) = ("webhook_endpoints"."previous_secret_valid_until" is null)
        and ("webhook_endpoints"."previous_secret" is not null or "webhook_endpoints"."previous_secret_wrapped_by" is null)),
	CONSTRAINT "webhook_endpoints_lease_whole" CHECK (("webhook_endpoints"."lease_token" is null) = ("webhook_endpoints"."leased_until" is null))
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery" FOREIGN KEY ("client_id","endpoint_id","event_id") REFERENCES "public"."webhook_deliveries"("client_id","endpoint_id","event_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint" FOREIGN KEY ("client_id","endpoint_id") REFERENCES "public"."webhook_endpoints"("client_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_verification" FOREIGN KEY ("client_id","verification_id") REFERENCES "public"."verifications"("client_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_client" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("client_id","endpoint_id","due_at","at","event_id") WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_versions" ON "webhook_deliveries" USING btree ("client_id","endpoint_id","verification_id","version") WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_log" ON "webhook_deliveries" USING btree ("client_id","endpoint_id","state","at","event_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_slot" ON "webhook_endpoints" USING btree ("client_id","slot") WHERE "webhook_endpoints"."slot" is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_due" ON "webhook_endpoints" USING btree ("due_at","id") WHERE "webhook_endpoints"."state" = 'active' and "webhook_endpoints"."due_at" is not null;
