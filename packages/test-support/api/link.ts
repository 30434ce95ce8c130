/** How a link is answered: 303 for a genuine one, which leads to the pages, and an error page for any other. */
export async function statusOfLink(url: string): Promise<number> {
  const response = await fetch(url, { redirect: 'manual' });
  await response.arrayBuffer();
  return response.status;
}
