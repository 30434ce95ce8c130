import { type AddressInfo, connect, createServer } from 'node:net';
import type { EvidencePlace } from '@countersign/domain/evidence';
import { until } from '@countersign/test-support/processes/until';
import { describeWith } from '@countersign/test-support/servers';
import { expect, onTestFinished, test } from 'vitest';
import { givenS3 } from '../test-support/given-s3.ts';

const DEADLINES = { callMs: 2_000, fileMs: 2_000 };
/** More than the SDK opens connections at once. */
const UPLOADS = 60;

const place = (fileId: string): EvidencePlace => ({
  clientId: 'client-1',
  verificationId: 'verification-1',
  fileId,
});

/** Passes connections on to a server, or accepts them and answers nothing. */
async function givenStallingProxy(endpoint: string) {
  const { hostname, port } = new URL(endpoint);
  const state = { isStalled: true, open: 0, most: 0 };
  const proxy = createServer((incoming) => {
    state.open += 1;
    state.most = Math.max(state.most, state.open);
    incoming.once('close', () => {
      state.open -= 1;
    });
    incoming.on('error', () => undefined);
    if (state.isStalled) {
      incoming.resume();
      return;
    }
    const passedOn = connect(Number(port), hostname);
    passedOn.on('error', () => incoming.destroy());
    incoming.pipe(passedOn).pipe(incoming);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  return { state, endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
}

describeWith(['s3'], 'deadlines of calls', () => {
  const s3 = givenS3();

  test('S3 evidence store: calls to a server that does not answer end at their deadline, close their connections, and later ones work', async () => {
    const { state, endpoint } = await givenStallingProxy(s3.server.endpoint);
    const { store } = s3.evidence({ ...s3.options(), endpoint, deadlines: DEADLINES });
    const uploads = Array.from({ length: UPLOADS }, (_, n) =>
      store.put(place(`file-${n}`), new Uint8Array(n % 4 === 0 ? 6_000_000 : 1_000)),
    );
    const others = [store.get(place('a')), store.delete(place('a')), store.filesOf(place('a'))];
    for (const call of await Promise.allSettled([...uploads, ...others])) {
      expect(call).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
    }
    expect(state.most).toBeGreaterThan(1);
    await until(() => state.open === 0);

    state.isStalled = false;
    // On a busy machine, a call can take longer than its deadline here.
    const putAndGot = async () => {
      await store.put(place('next'), Uint8Array.of(1));
      return store.get(place('next'));
    };
    await until(async () => (await putAndGot().catch(() => undefined))?.at(0) === 1);
  });

  test('S3 evidence store: calls end at their deadline while the source of the credentials does not answer', async () => {
    const credentials = () => new Promise<never>(() => undefined);
    const { store } = s3.evidence({ ...s3.options(), credentials, deadlines: DEADLINES });
    const calls = await Promise.allSettled([
      store.put(place('a'), Uint8Array.of(1)),
      store.put(place('b'), new Uint8Array(6_000_000)),
      store.get(place('a')),
      store.delete(place('a')),
      store.filesOf(place('a')),
    ]);
    for (const call of calls) expect(call).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  });
});
