/** What an operation was refused with, or null where it was not refused. */
export async function refusalOf(operation: Promise<unknown>): Promise<unknown> {
  try {
    await operation;
    return null;
  } catch (refusal) {
    return refusal;
  }
}
