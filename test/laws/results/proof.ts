import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Results } from '../../../lib/domain/results/results.ts';
import { together } from '../../../lib/store/table/together.ts';
import { putContent } from '../../support/operations/content.ts';
import { actionsOf, content, expectedOf, isConfirmed, isEnrolled, isQuiet, templateId } from './campaign.ts';
import { type ListRead, readersOn, readList } from './list.ts';
import { prepareService } from './service.ts';

const clients = 24;
const batchSize = 500;
const settleMilliseconds = 180_000;

export type Proof = {
  journeys: number;
  kills: number;
  requests: number;
  /** Requests that were sent again, at the same time or because no response came. */
  repeats: number;
  seconds: { made: number; acted: number; settled: number };
  reads: ListRead[];
  problems: string[];
};
type Options = { journeys: number; kills: number; onProgress: (text: string) => void };

/** Compares the results and the list of many journeys with what their persons did, while the service is killed. */
export async function prove({ journeys: size, kills, onProgress }: Options): Promise<Proof> {
  await using service = await prepareService();
  const { teamId, admin, call, counted } = service;
  await putContent(service.database, teamId, content);
  const began = performance.now();
  const since = () => Math.round((performance.now() - began) / 100) / 10;
  const problems: string[] = [];

  const batches = Array.from({ length: Math.ceil(size / batchSize) }, (_, batch) => batch * batchSize);
  await together(batches, 4, async (from) => {
    const persons = Array.from({ length: Math.min(batchSize, size - from) }, (_, n) => from + n);
    const journey = { template_id: templateId };
    await call('POST', '/v1/contacts', { contacts: persons.map((n) => ({ unique_id: `p${n}`, journey })) });
  });
  const resultsPath = `/v1/templates/${templateId}/results`;
  const settled = async (is: (results: Results) => boolean): Promise<Results> => {
    for (const end = Date.now() + settleMilliseconds; ; await sleep(500)) {
      const results = await call('GET', resultsPath);
      if (is(results) || Date.now() > end) return results;
    }
  };
  await settled(({ journeys }) => journeys.created === size);
  const made = since();
  onProgress(`${size} journeys made after ${made} s`);

  const using = readersOn(service.database);
  const slugs = new Map<number, { id: string; slug: string }>();
  const numberOf = (uniqueId: string | null) => Number(uniqueId?.slice(1));
  await readList(using, teamId, ({ contact, id, slug }) => slugs.set(numberOf(contact.unique_id), { id, slug }));
  const reads: ListRead[] = [];
  const everybody = Array.from({ length: size }, (_, n) => n);
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const seen = new Map<number, number>();
      const read = await readList(using, teamId, ({ contact }) => {
        const n = numberOf(contact.unique_id);
        seen.set(n, (seen.get(n) ?? 0) + 1);
      });
      problems.push(...read.problems);
      const missed = everybody.filter((n) => !seen.has(n));
      if (missed.length > 0) problems.push(`a read of the list misses ${missed.length}, for example p${missed[0]}`);
      const twice = everybody.filter((n) => isQuiet(n) && seen.get(n) !== 1);
      if (twice.length > 0) problems.push(`a read of the list has ${twice.length} that did not change not just once`);
      reads.push(read);
      // Half of the time, so that the persons make progress.
      await sleep(read.seconds * 1000);
    }
  })();

  let done = 0;
  const killing = (async () => {
    for (let kill = 1; kill <= kills; kill++) {
      while (done < (size * kill) / (kills + 1)) await sleep(50);
      await service.killAndStart();
      onProgress(`killed at ${done} persons, after ${since()} s`);
    }
  })();
  const enrolling = together(batches, 2, async (from) => {
    const persons = everybody.slice(from, from + batchSize).filter(isEnrolled);
    await call('POST', '/v1/contacts', { contacts: persons.map((n) => ({ unique_id: `p${n}`, enrolled: true })) });
  });
  await together(everybody, clients, async (n) => {
    const { id, slug } = slugs.get(n)!;
    for (const [index, action] of actionsOf(n).entries()) {
      // Every tenth action is sent twice at once.
      const times = (n + index) % 10 === 0 ? 2 : 1;
      await Promise.all(Array.from({ length: times }, () => call('POST', `/j/${slug}/actions`, action)));
      counted.repeats += times - 1;
    }
    const confirmed = { is_completion_confirmed: true };
    if (isConfirmed(n)) await call('PUT', `/v1/templates/${templateId}/journeys/${id}`, confirmed);
    done += 1;
  });
  await Promise.all([enrolling, killing]);
  const acted = since();
  onProgress(`all done after ${acted} s`);
  isOver = true;

  const expected = expectedOf(size);
  const numbersOf = ({ journeys, pages, questions }: Results) => ({
    journeys,
    pages: pages.map(({ viewed, completed, declined }) => [viewed, completed, declined]),
    answers: questions[0]!.answers.map(({ count }) => count),
  });
  const results = await settled((found) => isDeepStrictEqual(numbersOf(found), expected));
  const settledAt = since();
  await reading;
  if (!isDeepStrictEqual(numbersOf(results), expected)) {
    problems.push(`counted by hand: ${JSON.stringify(expected)}, results: ${JSON.stringify(numbersOf(results))}`);
  }
  const [recount] = await admin('template', 'recount', '--team', teamId, '--template', templateId);
  const same = { journeys: size, missed: 0, differences: [], unsettled: 0 };
  if (!isDeepStrictEqual(recount, { ...recount, ...same })) problems.push(`recount: ${JSON.stringify(recount)}`);
  return {
    ...{ journeys: size, kills, ...counted, reads, problems },
    seconds: { made, acted, settled: settledAt },
  };
}
