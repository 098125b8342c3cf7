/** What the run's door answers: it makes what it is asked for when the first test asks. */
export async function askDoor(url: string): Promise<string> {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(`the run's databases did not start: ${text}`);
  return text;
}
