-- Each client that was a sandbox becomes the test twin of a new client without a subscription. Its keys, verifications and webhooks stay,
-- and so does its subscription, which servers of the version before still ask for. The policy of retention is that of the client.
WITH "pairs" AS MATERIALIZED (
  SELECT "id" AS "twin", gen_random_uuid() AS "live", "name", "created_at", "file_access" FROM "clients"
  WHERE "sandbox" AND "test_of" IS NULL
    AND NOT EXISTS (SELECT 1 FROM "clients" AS "twins" WHERE "twins"."test_of" = "clients"."id")
), "made" AS (
  INSERT INTO "clients" ("id", "name", "created_at", "sandbox", "return_addresses", "file_access")
  SELECT "live", "name", "created_at", false, '[]'::jsonb, "file_access" FROM "pairs"
), "kept" AS (
  INSERT INTO "client_retention" ("client_id", "policy")
  SELECT "pairs"."live", "client_retention"."policy" FROM "pairs"
  JOIN "client_retention" ON "client_retention"."client_id" = "pairs"."twin"
  WHERE "client_retention"."policy" IS NOT NULL
)
UPDATE "clients" SET "test_of" = "pairs"."live" FROM "pairs" WHERE "clients"."id" = "pairs"."twin";
