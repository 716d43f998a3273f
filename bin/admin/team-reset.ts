import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { type JsonValue, parseJson } from '../../lib/domain/json.ts';
import { isSandbox } from '../../lib/domain/sandbox.ts';
import { fits } from '../../lib/http/reply.ts';
import { dependenciesOn } from '../../lib/runtime/table.ts';
import { ContentCache } from '../../lib/store/content.ts';
import { ProductCache, ProductRegistry } from '../../lib/store/products.ts';
import { say } from '../output.ts';
import { requireConsent } from './consent.ts';
import { AdminFailure } from './failure.ts';
import type { Installation } from './installation.ts';
import { notSandbox, type ResetDependencies, resetTeam } from './operations/sandbox/reset.ts';
import { sandboxData } from './operations/sandbox/seed.ts';
import { listing, textsOf } from './text.ts';
import { noIds, verb } from './verb.ts';

const example = (name: string): JsonValue =>
  parseJson(readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8'));

export function registerTeamReset(team: Command): void {
  verb<{ team: string; yes?: boolean }>(
    team
      .command('reset')
      .description('Delete all data of a sandbox team and create its test data; reads the whole table')
      .requiredOption('--team <team_id>', 'the team, which was created with --sandbox')
      .option('--yes', 'confirm; required at a terminal'),
    noIds,
    async (installation, { team: teamId, yes = false }) => {
      if (!isSandbox(teamId)) throw new AdminFailure('conflict', [notSandbox]);
      requireConsent(consequence, { yes });
      const data = sandboxData.parse(example('sandbox.json'));
      const report = await resetTeam(resetDependencies(installation), teamId, {
        content: example('campaigns.json'),
        data,
      });
      const value = { team_id: teamId, ...report };
      return { value, text: listing(textsOf(value)) };
    },
  );
}

const consequence =
  'All contacts, accounts, batches, journeys, images, campaigns and dropped files of the team are deleted, and test ' +
  'data is created. The team keeps its id and its clients.';

export function resetDependencies(installation: Installation): ResetDependencies {
  const { database, baseUrl, scanTeam } = installation;
  const dependencies = dependenciesOn(database);
  return {
    ...{ ...dependencies, fits, wait, baseUrl, scanTeam },
    content: new ContentCache(database, dependencies.now),
    productCache: new ProductCache(database),
    products: new ProductRegistry(database),
    queue: installation.importQueue(),
    onLostWake: () => {},
    onProgress: say,
    files: installation.dropBox(),
    images: installation.images(),
  };
}
