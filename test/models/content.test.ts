import { AdminFailure } from '../../bin/admin/failure.ts';
import { importContent } from '../../bin/admin/operations/content.ts';
import { createTeam } from '../../bin/admin/operations/teams.ts';
import type { JsonValue } from '../../lib/domain/json.ts';
import { Problem, type ProblemCode } from '../../lib/domain/problem.ts';
import { type Content, ContentCache } from '../../lib/store/content.ts';
import { ModelDatabase } from '../support/model-database.ts';
import {
  type ContentCall,
  type ContentResult,
  contentCalls,
  contentModel,
  type Document,
  type Item,
  waitMilliseconds,
} from './content.ts';
import { type Dependencies, testModel } from './run.ts';
import type { Session } from './session.ts';

const teamId = '8f3c1a52-7f0e-4b5d-9a63-000000000000';
const idOf = (list: number, id: string) => `8f3c1a52-7f0e-4b5d-9a63-0000000000${list}${id}`;

/** Each object repeats its name in a second field, so that a mix of two revisions would show. */
function documentOf({ templates, objectives }: Document, isBroken: boolean): JsonValue {
  const broken = isBroken ? [{ id: idOf(1, '9'), name: 7 }] : [];
  return {
    templates: [...templates.map(({ id, name }) => ({ id: idOf(1, id), name, css: name })), ...broken],
    objectives: objectives.map(({ id, name }) => ({ id: idOf(2, id), key: `key${id}`, name })),
  } as unknown as JsonValue;
}

const itemsOf = (list: readonly { id: string; name: string | null; css?: string | null }[]): Item[] =>
  list
    .map(({ id, name, css = name }) => ({ id: id.at(-1)!, name: name === css ? name! : `${name} and ${css}` }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
const shown = ({ templates, objectives }: Content): Document => ({
  ...{ templates: itemsOf(templates), objectives: itemsOf(objectives as readonly Item[]) },
});

async function open() {
  const database = new ModelDatabase();
  await createTeam({ database, now: Date.now, newId: () => teamId, newSecret: () => 's' }, { name: 'T', features: [] });
  const caches: ContentCache[] = [];
  const send = async (call: ContentCall, dependencies: Dependencies, session: Session): Promise<ContentResult> => {
    // Concurrent callers share a cache, so its reads are not interleaved with other calls.
    const cacheOf = (n: number) => (caches[n] ??= new ContentCache(database, () => session.clock++));
    const from = session.clock;
    const ended = <T extends object>(result: T) => ({ from, to: session.clock, ...result });
    switch (call.kind) {
      case 'wait':
        session.clock += waitMilliseconds;
        return ended({});
      case 'import': {
        const { document, replaces, isBroken } = call;
        const full = { ...dependencies, fits: () => true };
        const imported = importContent(full, teamId, documentOf(document, isBroken), { replaces });
        const { counts } = await imported.catch((error: unknown) => {
          throw error instanceof AdminFailure ? new Problem(error.code as ProblemCode) : error;
        });
        return ended({ counts: { templates: counts.templates, objectives: counts.objectives } });
      }
      case 'read':
        return ended({ content: shown(await new ContentCache(dependencies.database, () => 0).current(teamId)) });
      case 'show':
        return ended({ content: shown(await cacheOf(call.instance).load(teamId)) });
    }
  };
  return { database, send };
}

testModel('concurrent imports of content and readers have results that one order explains', 'content.test.ts', {
  model: contentModel,
  calls: contentCalls,
  open,
  last: [{ kind: 'read' }],
  repeated: (call) => call,
  runs: 100,
});
