import { defineConfig } from 'drizzle-kit';

// The tables that `npm run migration` compares with the newest snapshot.
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/schema.ts',
  out: './migrations',
});
