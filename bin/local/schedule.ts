export type Schedule = { stop(): void };

/** Invokes at a fixed interval, never twice in parallel: while a run takes longer, the next one is skipped. */
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

/** The event that EventBridge sends. */
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
