import type { S3Client } from '@aws-sdk/client-s3';
import { isBucketCode } from './bucket-fault.ts';

/** versitygw's code for an object that it could not put in place. No name of evidence is the name of a folder. */
const NOT_PUT_IN_PLACE = 'ExistingObjectIsDirectory';

/**
 * Lets the client retry a call that lost its folder. Object storages that keep objects in folders may delete a folder with its last
 * object in the moment in which they put another object in it, and refuse that one with a code that the SDK does not retry.
 */
export function retryLostFolders(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        throw isBucketCode(error, NOT_PUT_IN_PLACE) ? Object.assign(error as Error, { $retryable: {} }) : error;
      }
    },
    // Below the retries, and above the reading of errors.
    { name: 'retryLostFolders', step: 'deserialize', priority: 'high', override: true },
  );
}
