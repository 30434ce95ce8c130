import { defineConfig } from 'drizzle-kit';

// A change of src/schema.ts becomes a migration: npx drizzle-kit generate --name what-it-does
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/schema.ts',
  out: './migrations',
});
