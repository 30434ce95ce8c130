import { expect, it } from 'vitest';
import { rememberClients } from './remember-clients.ts';

function given() {
  const read: string[] = [];
  const clientOf = rememberClients(async (verificationId) => {
    read.push(verificationId);
    return verificationId === 'unknown' ? null : `client of ${verificationId}`;
  });
  return { read, clientOf };
}

it('rememberClients: reads the client of a verification once, and an unknown verification each time', async () => {
  const { read, clientOf } = given();
  for (const id of ['a', 'b', 'a', 'b', 'unknown', 'unknown']) {
    expect(await clientOf(id)).toBe(id === 'unknown' ? null : `client of ${id}`);
  }
  expect(read).toEqual(['a', 'b', 'unknown', 'unknown']);
});

it('rememberClients: forgets the oldest above 10,000', async () => {
  const { read, clientOf } = given();
  for (let id = 0; id < 10_000; id += 1) await clientOf(String(id));
  await clientOf('0');
  expect(read).toHaveLength(10_000);
  await clientOf('another');
  for (const id of ['another', '9999', '1', '0']) await clientOf(id);
  expect(read.slice(10_000)).toEqual(['another', '0']);
});
