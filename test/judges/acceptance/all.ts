/** All checks: each file adds its own to the list. Those that take longest come first. */
import './common.ts';
import './administration.ts';
import './leaving.ts';
import './targeted-people.ts';
import './tokens.ts';
import './scopes.ts';
import './contacts.ts';
import './contact-list.ts';
import './accounts.ts';
import './batches.ts';
import './journeys.ts';
import './answers.ts';
import './results.ts';
import './events.ts';
import './templates.ts';
import './targeting.ts';
import './outbox.ts';
import './messages.ts';
import './channels.ts';
import './pages.ts';
import './identity.ts';

export { checks } from './suite.ts';
