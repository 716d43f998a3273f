import { byTurn, type Chunk, wantsHandOver } from '../../domain/chunk.ts';
import { noteHandOver, watchedChunks } from '../../store/claims.ts';
import { handOverOf, type ImportDependencies, timestamp } from './dependencies.ts';

/**
 * Hands over the open chunks that nobody else will: those whose acceptor died before it told the queue, and those
 * whose message is lost. With `all`, every open chunk: for a queue that has just started empty.
 * @returns how many were handed over.
 */
export async function sweep(dependencies: ImportDependencies, { all }: { all: boolean }): Promise<number> {
  const { database, now, newId } = dependencies;
  const due: Chunk[] = [];
  for await (const page of watchedChunks(database, 'open')) {
    due.push(...page.filter((chunk) => all || wantsHandOver(chunk, now())));
  }
  for (const chunk of due.sort(byTurn)) {
    // A first hand-over may have got through without its note: the same id lets the queue swallow the second.
    const deduplicationId = chunk.handed_over_at === undefined && !all ? chunk.payload_id : newId();
    await dependencies.queue.send(handOverOf(chunk), deduplicationId);
    await noteHandOver(database, chunk, timestamp(now()));
  }
  return due.length;
}
