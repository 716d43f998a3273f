export type Schedule = { stop(): void };

/** Invokes now and then, never twice at once: a run that takes longer than the interval skips its successor. */
export function startSchedule(everySeconds: number, invoke: (event: unknown) => Promise<unknown>): Schedule {
  let running = false;
  const timer = setInterval(async () => {
    if (running) return;
    running = true;
    await invoke(scheduledEvent(new Date())).catch(console.error);
    running = false;
  }, everySeconds * 1000);
  return { stop: () => clearInterval(timer) };
}

/** As EventBridge sends it. */
const scheduledEvent = (at: Date) => ({
  version: '0',
  id: crypto.randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '000000000000',
  time: at.toISOString(),
  region: 'us-east-1',
  resources: [],
  detail: {},
});
