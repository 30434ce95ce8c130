export { describeWith, type ServerKind } from './available.ts';
export { chromiumProgram } from './chromium-program.ts';
export { type PgBouncerServer, startPgBouncer } from './pgbouncer-server.ts';
export { postgresWithTools } from './postgres-binaries.ts';
export type { PostgresOptions } from './postgres-options.ts';
export { type PostgresServer, startPostgres } from './postgres-server.ts';
export { type RedisServer, startRedis } from './redis-server.ts';
export { type S3Server, startS3 } from './s3-server.ts';
export { programsIn, type RunProgram } from './small-program.ts';
