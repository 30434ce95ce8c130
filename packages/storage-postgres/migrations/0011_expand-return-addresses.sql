ALTER TABLE "clients" ADD COLUMN "return_addresses" jsonb DEFAULT '[]'::jsonb NOT NULL;
