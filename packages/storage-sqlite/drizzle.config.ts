import { defineConfig } from 'drizzle-kit';

// The tables that `npm run migration` compares with the newest snapshot.
export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/schema.ts',
    './src/webhook-tables.ts',
    './src/retention-tables.ts',
    './src/export-tables.ts',
    './src/hand-over-tables.ts',
    './src/reading-tables.ts',
    './src/index-tables.ts',
    './src/mail-tables.ts',
    './src/appearance-tables.ts',
  ],
  out: './migrations',
  migrations: { table: 'countersign_migrations' },
});
