// Every case of the kit on a server of the S3 API.
import { evidenceStoreContract } from '@countersign/storage-contract';
import { describeWith } from '@countersign/test-support/servers';
import { givenS3 } from '../test-support/given-s3.ts';

describeWith(['s3'], 'S3 evidence store on a server', () => {
  const s3 = givenS3();
  evidenceStoreContract('S3 evidence store', async () => s3.evidence().store);
});
