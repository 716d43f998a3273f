export type Throttle = { rateLimit: number; burstLimit: number };

/**
 * A token bucket, as in API Gateway.
 * @returns whether a request is allowed at `now`, in milliseconds of a monotonic clock
 */
export function createThrottle({ rateLimit, burstLimit }: Throttle): (now: number) => boolean {
  let tokens = burstLimit;
  let filled = 0;
  return (now) => {
    tokens = Math.min(burstLimit, tokens + ((now - filled) / 1000) * rateLimit);
    filled = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
