import { Command } from 'commander';
import { expect, test } from 'vitest';
import { verb } from '../../bin/admin/verb.ts';
import { watchOption } from '../../bin/admin/watch.ts';

test('the help names --watch only for a verb that has it', () => {
  const helpOf = (command: Command) => {
    verb(command, 'reads', async () => undefined);
    return command.helpInformation().replaceAll(/\s+/g, ' ');
  };
  expect(helpOf(new Command('check'))).not.toContain('--watch');
  expect(helpOf(new Command('list').option(...watchOption))).toContain('with --watch, one at each change');
});
