/** Opens a verification link and returns the status: 303 for a valid link, which redirects to the flow. */
export async function statusOfLink(url: string): Promise<number> {
  const response = await fetch(url, { redirect: 'manual' });
  await response.arrayBuffer();
  return response.status;
}
