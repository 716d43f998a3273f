import { Command } from 'commander';
import { expect, test } from 'vitest';
import { verb } from '../../bin/admin/verb.ts';
import { watching } from '../../bin/admin/watch.ts';

test('the help names --watch only for a verb that has it', () => {
  const helpOf = (parameters: Partial<typeof watching>) => {
    const command = new Command('list');
    verb({ does: 'List', parameters, run: async () => undefined })(command);
    return command.helpInformation().replaceAll(/\s+/g, ' ');
  };
  expect(helpOf({})).not.toContain('--watch');
  expect(helpOf(watching)).toContain('with --watch, one at each change');
});
