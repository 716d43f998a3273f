/**
 * True for one call in `count`, but not more than four times for the same thing. The service and the client give up after
 * more attempts than that, and which call is hit depends on the order of parallel requests.
 */
export function oneIn(count: number): (thing: unknown) => boolean {
  let calls = 0;
  const hits = new Map<string, number>();
  return (thing) => {
    const name = JSON.stringify(thing);
    const before = hits.get(name) ?? 0;
    calls += 1;
    if (calls % count !== 0 || before >= 4) return false;
    hits.set(name, before + 1);
    return true;
  };
}
