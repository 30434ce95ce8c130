/** The ids that a fault is about. They are no personal data, so logs may contain them. */
export interface FaultSubject {
  readonly verificationId?: string | undefined;
  readonly fileId?: string | undefined;
}

/**
 * A fault of this service, with the ids of the verification and the file that it is about. Logs take the ids from here, because they
 * leave out the message.
 *
 * @example
 * throw new VerificationFault('The picture cannot be read', { verificationId, fileId, cause });
 */
export class VerificationFault extends Error {
  override readonly name: string = 'VerificationFault';
  readonly verificationId: string | undefined;
  readonly fileId: string | undefined;

  constructor(message: string, { verificationId, fileId, ...options }: FaultSubject & ErrorOptions = {}) {
    super(message, options);
    this.verificationId = verificationId;
    this.fileId = fileId;
  }
}
