/** How the traffic of a function moves to a new version: at once, first a tenth of it, or a tenth every minute. */
export const trafficShifts = ['all-at-once', 'canary', 'linear'] as const;
export type TrafficShift = (typeof trafficShifts)[number];
