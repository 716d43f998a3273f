/** The part of autocannon that the benchmark uses; the package has no types. */
declare module 'autocannon' {
  export type Request = { method: string; path: string; headers?: Record<string, string>; body?: string };
  export type Result = {
    errors: number;
    timeouts: number;
    non2xx: number;
    requests: { total: number };
    duration: number;
  };
  export default function autocannon(options: {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    requests: (Request & { setupRequest?: (request: Request) => Request })[];
  }): PromiseLike<Result>;
}
