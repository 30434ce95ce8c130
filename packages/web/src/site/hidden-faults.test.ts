import { describe, expect, it } from 'vitest';
import { ADA, givenTeam } from '../../test-support/client-team.ts';
import { RITA } from '../../test-support/console.ts';

describe('a file whose stored content is missing: 404, and the fault is reported with its request and verification', () => {
  it.each([
    ['a reviewer', RITA, '/review', '/review/{id}/files/{fileId}'],
    ['an owner', ADA, '/dashboard/verifications', '/dashboard/verifications/{verificationId}/files/{fileId}'],
  ])('to %s', async (_who, as, list, path) => {
    const faults: { fault: unknown; entry: object }[] = [];
    const given = await givenTeam({ onFault: (fault, entry) => void faults.push({ fault, entry }) });
    const { clientId, countersign, ports, principal } = given;
    await countersign.clients.setFileAccess(clientId, true);
    const verificationId = await given.submitted();
    const [file] = (await countersign.verifications.details(principal, verificationId)).documents;
    const fileId = file?.id ?? '';
    await ports.evidence?.store.delete({ clientId, verificationId, fileId });

    const { status, headers } = await given.get(`${list}/${verificationId}/files/${fileId}`, as);

    expect(status).toBe(404);
    const requestId = headers.get('X-Request-Id');
    expect(requestId).not.toBeNull();
    expect(faults).toMatchObject([
      {
        fault: { code: 'FILE_MISSING', verificationId, fileId },
        entry: { requestId, method: 'GET', path, verificationId },
      },
    ]);
    // An unknown file is no fault.
    expect((await given.get(`${list}/${verificationId}/files/unknown`, as)).status).toBe(404);
    expect(faults).toHaveLength(1);
  });
});
