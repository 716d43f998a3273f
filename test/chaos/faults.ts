import { awsError, type Fault, type ProxiedRequest, storeError } from '../support/fault-proxy.ts';
import type { Random } from '../support/random.ts';

export type FaultKind =
  /** Some statements or keys of a batch are throttled; the others take effect. */
  | 'throttled-parts'
  | 'throttled'
  /** A transaction that conflicted with another one. */
  | 'conflict'
  | 'error-500-before'
  | 'error-500-after'
  | 'reset-before'
  | 'reset-after'
  | 'truncated'
  | 'delay'
  /** Never a response, and no effect. */
  | 'hang'
  /** Never a response, but the request takes effect. */
  | 'hang-after'
  /** No response and no effect. After some time the connection is reset. */
  | 'hang-reset'
  /** No response. The request takes effect long after the sender has given up. */
  | 'late';

export type Part = 'dynamodb' | 'sqs';

const weights: Record<Part, Partial<Record<FaultKind, number>>> = {
  dynamodb: {
    'throttled-parts': 6,
    throttled: 4,
    conflict: 3,
    'error-500-before': 3,
    'error-500-after': 3,
    'reset-before': 3,
    'reset-after': 3,
    truncated: 2,
    delay: 6,
    hang: 0.3,
    'hang-after': 0.3,
    'hang-reset': 0.4,
    late: 0.4,
  },
  sqs: {
    throttled: 3,
    'error-500-before': 3,
    'error-500-after': 3,
    'reset-before': 3,
    'reset-after': 3,
    truncated: 2,
    delay: 4,
    hang: 1,
    'hang-after': 1,
    'hang-reset': 2,
    late: 1,
  },
};

/** The share of requests with a fault. A function sends several requests, and retries. */
const share: Record<Part, number> = { dynamodb: 0.06, sqs: 0.3 };

const inParts = new Set(['BatchExecuteStatement', 'BatchGetItem']);

function canMeet(operation: string, fault: FaultKind): boolean {
  if (fault === 'throttled-parts') return inParts.has(operation);
  return fault !== 'conflict' || operation === 'TransactWriteItems';
}

/** Decides the fault of each request. Each part has its own random stream: the n-th request gets the n-th choice. */
export class FaultPlan {
  readonly #random: Random;
  readonly #part: Part;
  #outage: FaultKind | undefined;
  #isOn = false;

  constructor(part: Part, random: Random) {
    this.#part = part;
    this.#random = random;
  }

  start(): void {
    this.#isOn = true;
  }

  /** From now on no request fails. */
  stop(): void {
    this.#isOn = false;
    this.#outage = undefined;
  }

  /** Every request has the fault until the outage ends. */
  set outage(fault: FaultKind | undefined) {
    if (this.#isOn) this.#outage = fault;
  }

  faultFor(operation: string): FaultKind | undefined {
    if (!this.#isOn) return undefined;
    const fault = this.#outage ?? this.#chosen();
    if (fault === undefined || canMeet(operation, fault)) return fault;
    return fault === 'conflict' ? 'delay' : 'throttled';
  }

  #chosen(): FaultKind | undefined {
    return this.#random.chance(share[this.#part]) ? this.#random.weighted(weights[this.#part]) : undefined;
  }

  isThrottled(): boolean {
    return this.#random.chance(0.4);
  }

  delayMilliseconds(): number {
    return this.#random.chance(0.8) ? this.#random.between(20, 500) : this.#random.between(500, 4000);
  }

  lateMilliseconds(): number {
    return this.#random.between(2000, 15_000);
  }
}

/** The error response of each part for throttling and failures. */
const refusals = {
  dynamodb: { throttled: storeError('ThrottlingException'), failed: storeError('InternalServerError', 500) },
  sqs: {
    throttled: awsError('com.amazonaws.sqs#RequestThrottled'),
    failed: awsError('com.amazonaws.sqs#InternalFailure', 500),
  },
};

/** What the proxy does for a fault of the plan. */
export function faultOf(fault: FaultKind, part: Part, plan: FaultPlan, { body }: ProxiedRequest): Fault {
  const { throttled, failed } = refusals[part];
  switch (fault) {
    case 'throttled-parts':
      return { throttles: () => plan.isThrottled() };
    case 'throttled':
      return throttled;
    case 'conflict':
      return conflict(body);
    case 'error-500-before':
      return failed;
    case 'error-500-after':
      return { ...failed, executed: true };
    case 'reset-before':
      return { lost: 'before' };
    case 'reset-after':
      return { lost: 'after' };
    case 'truncated':
      return { lost: 'midway' };
    case 'delay':
      return { delay: plan.delayMilliseconds() };
    case 'hang':
      return { hangs: 'before' };
    case 'hang-after':
      return { hangs: 'after' };
    case 'hang-reset':
      return { lost: 'before', delay: plan.lateMilliseconds() };
    case 'late':
      return { hangs: 'after', delay: plan.lateMilliseconds() };
  }
}

/** A conflicting transaction: DynamoDB names a reason for each of its writes. */
function conflict({ TransactItems }: { TransactItems: unknown[] }): Fault {
  const CancellationReasons = TransactItems.map((_, place) =>
    place === 0 ? { Code: 'TransactionConflict', Message: 'injected' } : { Code: 'None' },
  );
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  const body = {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    CancellationReasons,
  };
  return { status: 400, body: JSON.stringify(body) };
}
