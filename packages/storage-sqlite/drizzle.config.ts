import { defineConfig } from 'drizzle-kit';

// A change of src/schema.ts becomes a migration: npx drizzle-kit generate --name what-it-does
export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/schema.ts',
    './src/webhook-tables.ts',
    './src/retention-tables.ts',
    './src/export-tables.ts',
    './src/mail-tables.ts',
    './src/appearance-tables.ts',
  ],
  out: './migrations',
  migrations: { table: 'countersign_migrations' },
});
