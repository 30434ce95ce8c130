import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth';
import { hashOfToken } from '../database/token-hash.ts';

/**
 * Stores session tokens as hashes. better-auth would store them in plain text, protected only by the signature of the
 * cookie. Callers still pass and receive the token itself.
 */
export function withHashedSessions(adapter: DBAdapter): DBAdapter {
  return {
    ...hashing(adapter),
    transaction: (work) => adapter.transaction((inner) => work(hashing(inner))),
  };
}

function hashing<T extends DBTransactionAdapter>(adapter: T): T {
  return {
    ...adapter,
    async create(input) {
      const token = tokenIn(input.model, input.data);
      if (token === undefined) return adapter.create(input);
      const kept = await adapter.create({ ...input, data: { ...input.data, token: hashOfToken(token) } });
      return { ...kept, token };
    },
    async findOne<R>(input: Parameters<T['findOne']>[0]): Promise<R | null> {
      const found = await adapter.findOne<R>({ ...input, where: hashed(input.model, input.where) ?? [] });
      return found === null ? null : withToken(found, input.model, input.where);
    },
    findMany: (input) => adapter.findMany({ ...input, where: hashed(input.model, input.where) }),
    count: (input) => adapter.count({ ...input, where: hashed(input.model, input.where) }),
    async update<R>(input: Parameters<T['update']>[0]): Promise<R | null> {
      const kept = await adapter.update<R>({ ...input, where: hashed(input.model, input.where) ?? [] });
      return kept === null ? null : withToken(kept, input.model, input.where);
    },
    updateMany: (input) => adapter.updateMany({ ...input, where: hashed(input.model, input.where) ?? [] }),
    delete: (input) => adapter.delete({ ...input, where: hashed(input.model, input.where) ?? [] }),
    deleteMany: (input) => adapter.deleteMany({ ...input, where: hashed(input.model, input.where) ?? [] }),
  };
}

function tokenIn(model: string, data: object): string | undefined {
  return model === 'session' && 'token' in data && typeof data.token === 'string' ? data.token : undefined;
}

function isToken(model: string, { field }: Where): boolean {
  return model === 'session' && field === 'token';
}

function hashed(model: string, where: Where[] | undefined): Where[] | undefined {
  return where?.map((part) => {
    if (!isToken(model, part)) return part;
    if (typeof part.value === 'string') return { ...part, value: hashOfToken(part.value) };
    if (Array.isArray(part.value))
      return { ...part, value: part.value.map((token) => hashOfToken(String(token))) };
    return part;
  });
}

function withToken<R>(row: R, model: string, where: Where[] | undefined): R {
  const given = where?.find((part) => isToken(model, part))?.value;
  return typeof given === 'string' ? { ...row, token: given } : row;
}
