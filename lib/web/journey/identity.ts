import type { Template } from '../../domain/content/template.ts';
import type { Lock } from '../../domain/identity-attempts.ts';
import type { FactName } from '../../domain/identity-facts.ts';
import { journeyPath } from '../../domain/journey.ts';
import { noValues } from '../../domain/placeholders.ts';
import { contentCss, frameCss } from '../css/base.ts';
import { identityCss } from '../css/identity.ts';
import { renderDocument, type WebPage } from '../document.ts';
import { type Child, type Html, html } from '../html.ts';
import { footer } from './frame.ts';
import { theme } from './theme.ts';

/** What a person is asked before anything of theirs is shown; what they typed is never given back. */
export type IdentityPageInput = {
  template: Template;
  slug: string;
  /** The page that it is about; nothing where the whole journey is. */
  pageId: string | undefined;
  /** Two, or none where there is too little on file to ask. */
  facts: readonly FactName[];
  lock: Lock | undefined;
  /** Of answers that were refused: the facts to which there was none. Without any, the answers do not match. */
  missing?: readonly FactName[];
  /** Whether there is a page to see without it. */
  isOptional: boolean;
};

const labels: Record<FactName, string> = {
  birthdate: 'Your date of birth',
  phone_mobile: 'The last four digits of your mobile number',
  phone_home: 'The last four digits of your home telephone number',
  phone_work: 'The last four digits of your work telephone number',
  post_code: 'Your post code',
};
const demands: Record<FactName, string> = {
  birthdate: 'Enter your date of birth as three numbers',
  phone_mobile: 'Enter the last four digits of your mobile number',
  phone_home: 'Enter the last four digits of your home telephone number',
  phone_work: 'Enter the last four digits of your work telephone number',
  post_code: 'Enter your post code',
};

export function renderIdentityPage(input: IdentityPageInput): WebPage {
  const { template, lock, facts, missing } = input;
  const team = template.team?.name;
  const heading = lock || facts.length === 0 ? blockedHeading(input) : 'Please confirm that it is you';
  const body = html`<a class="skip" href="#main">Skip to the content</a>
<header class="top"><div class="frame"><div>${team !== undefined && html`<p class="brand">${team}</p>`}<h1>${heading}</h1></div></div></header>
<div class="frame body asks"><main id="main" tabindex="-1"><div class="sheet"><div class="stage"><div class="check">${
    lock || facts.length === 0 ? blocked(input) : questions(input)
  }</div></div></div></main></div>
${footer(template, { ...noValues, teamName: team, templateName: template.name ?? undefined })}`;
  const title = [missing && !lock ? `Error: ${heading}` : heading, team].filter(Boolean).join(' · ');
  return renderDocument({ title, css: theme(template) + contentCss + frameCss + identityCss, body });
}

const whom = ({ template }: IdentityPageInput): string =>
  template.team?.name ?? 'the institution that sent you the link';

const blockedHeading = ({ facts }: IdentityPageInput): string =>
  facts.length === 0 ? 'We cannot confirm here that it is you' : 'Please pause before you try again';

function blocked(input: IdentityPageInput): Child {
  const { facts, lock, missing } = input;
  const turnTo = html`get in touch with ${whom(input)}, by the address or telephone number that you know`;
  const why =
    facts.length === 0
      ? html`<p>What you came for is personal, and there is too little on file to make sure online that it is you.</p><p>Please ${turnTo}: there you can see it, or have what is missing put on file.</p>`
      : lock?.wait === null
        ? html`<p>The answers did not match what is on file too many times, so that none are taken any more. That protects you from people who guess.</p><p>Please ${turnTo}. They can correct what is on file, and let you try again.</p>`
        : html`<p>The answers did not match what is on file several times. To protect you from people who guess, you can try again in <strong>${waitInWords(lock?.wait ?? 0)}</strong>.</p><p>If you would rather not wait, or if what is on file may be out of date, ${turnTo}.</p>`;
  return html`<div${missing && html` role="alert" tabindex="-1" autofocus`}>${why}</div>${back(input)}`;
}

/** Absolute, for the questions also stand at an address of their own. */
const addressOf = ({ slug, pageId }: IdentityPageInput): string => `${journeyPath(slug)}?page=${pageId}`;

const back = (input: IdentityPageInput): Child =>
  input.isOptional && html`<p class="go"><a class="quiet" href="${addressOf(input)}">Back to the page</a></p>`;

/** Rounded up, so that nobody comes too early. @param wait milliseconds */
export function waitInWords(wait: number): string {
  const minutes = Math.max(1, Math.ceil(wait / 60_000));
  if (minutes <= 90) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `${Math.ceil(minutes / 60)} hours`;
}

function questions(input: IdentityPageInput): Html {
  const { slug, pageId, facts, missing = [], isOptional } = input;
  return html`${summary(input)}<p>${
    isOptional ? 'Some of what this page says is' : 'What you came for is'
  } meant for you alone. Before it is shown, please answer as ${whom(input)} has it on file.</p>
<form method="post" action="${journeyPath(slug)}/identity" autocomplete="on" novalidate>${
    pageId !== undefined && html`<input type="hidden" name="page" value="${pageId}">`
  }${facts.map((fact) => field(fact, missing.includes(fact)))}<div class="go"><button class="button">Continue</button>${
    isOptional && html`<a class="quiet" href="${addressOf(input)}">Back without it</a>`
  }</div></form>
<p class="note">Your answers are only compared with what is on file. They are not kept.</p>`;
}

/** Takes the focus, so that it is the first thing read; its links lead to the fields. */
function summary({ missing }: IdentityPageInput): Child {
  if (!missing) return undefined;
  const isMismatch = missing.length === 0;
  const said = isMismatch
    ? html`<p>Your answers do not match what is on file. Please check all of them.</p>`
    : html`<ul>${missing.map((fact) => html`<li><a href="#${inputOf(fact)}">${demands[fact]}</a></li>`)}</ul>`;
  return html`<div class="faults" role="alert" tabindex="-1" autofocus><h2>${isMismatch ? 'That did not match' : 'Something is missing'}</h2>${said}</div>`;
}

/** The id of a fact's first, or only, input. */
const inputOf = (fact: FactName): string =>
  fact === 'birthdate' ? 'birth_month' : fact === 'post_code' ? 'post_code' : 'phone';

function field(fact: FactName, isFaulty: boolean): Html {
  const kind = isFaulty ? 'field wrong' : 'field';
  const fault = isFaulty && html`<span class="fault" id="${inputOf(fact)}-fault">${demands[fact]}</span>`;
  const described = [`${inputOf(fact)}-hint`, ...(isFaulty ? [`${inputOf(fact)}-fault`] : [])].join(' ');
  if (fact === 'birthdate') return dateField(kind, fault, described, isFaulty);
  const id = inputOf(fact);
  const isCode = fact === 'post_code';
  const hint = isCode ? 'Of your home address' : 'For 555 010 1234 that is 1234';
  return html`<div class="${kind}"><label for="${id}">${labels[fact]}</label><span class="hint" id="${id}-hint">${hint}</span>${fault}${input(id, { described, isFaulty, autocomplete: isCode ? 'postal-code' : 'off', inputmode: isCode ? 'text' : 'numeric', maxlength: isCode ? 12 : 20 })}</div>`;
}

function dateField(kind: string, fault: Child, described: string, isFaulty: boolean): Html {
  const part = (id: string, name: string, autocomplete: string, maxlength: number) =>
    html`<div${maxlength > 2 && html` class="long"`}><label for="${id}">${name}</label>${input(id, { isFaulty, autocomplete, inputmode: 'numeric', maxlength })}</div>`;
  return html`<fieldset class="${kind}" aria-describedby="${described}"><legend>${labels.birthdate}</legend><span class="hint" id="birth_month-hint">For example 3 27 1985</span>${fault}<div class="date">${part('birth_month', 'Month', 'bday-month', 2)}${part('birth_day', 'Day', 'bday-day', 2)}${part('birth_year', 'Year', 'bday-year', 4)}</div></fieldset>`;
}

type InputOptions = {
  described?: string;
  isFaulty: boolean;
  autocomplete: string;
  inputmode: string;
  maxlength: number;
};

const input = (id: string, { described, isFaulty, autocomplete, inputmode, maxlength }: InputOptions): Html =>
  html`<input type="text" id="${id}" name="${id}" autocomplete="${autocomplete}" inputmode="${inputmode}" maxlength="${maxlength}" spellcheck="false"${
    described !== undefined && html` aria-describedby="${described}"`
  }${isFaulty && html` aria-invalid="true"`}>`;
