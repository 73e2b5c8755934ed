import type { Accounts, AccountsState } from "@hearth/client";
import type { Client } from "@hearth/client";
import { createNotifier } from "@hearth/client";
import type { NotificationSubject, Notifier } from "@hearth/client";
import { previewOf } from "../chat/markdown/preview.ts";
import { format } from "../strings/format.ts";
import { strings } from "../strings/strings.ts";

const MAX_CHARACTERS = 200;
const MAX_LINES = 3;

/** What a notification says of messages of one room. */
export function noticeWords({ roomName, arrivals }: NotificationSubject): { title: string; body: string } {
  const { notices } = strings;
  const nameOf = ({ message }: (typeof arrivals)[number]): string => message.senderDisplayName;
  const [first] = arrivals;
  const mention = arrivals.find(({ isMention }) => isMention);
  if (mention === undefined && first !== undefined && arrivals.length > 1)
    return {
      title: notices.several(format.count(arrivals.length), roomName),
      body: arrivals
        .slice(-MAX_LINES)
        .map((arrival) =>
          notices.line(nameOf(arrival), previewOf(arrival.message.content, MAX_CHARACTERS / MAX_LINES)),
        )
        .join("\n"),
    };
  const shown = mention ?? first;
  if (shown === undefined) return { title: roomName, body: "" };
  const title = mention === undefined ? notices.title : notices.mention;
  return { title: title(nameOf(shown), roomName), body: previewOf(shown.message.content, MAX_CHARACTERS) };
}

/** Two short notes, made on the spot, so that no file has to be loaded; silent where the browser allows no sound yet. */
export function createChime(): () => void {
  let context: AudioContext | undefined;
  return () => {
    context ??= new AudioContext();
    if (context.state === "suspended") void context.resume();
    const start = context.currentTime;
    for (const [index, frequency] of [660, 880].entries()) {
      const tone = new OscillatorNode(context, { frequency });
      const volume = new GainNode(context, { gain: 0 });
      const from = start + index * 0.12;
      volume.gain.setValueAtTime(0.08, from);
      volume.gain.exponentialRampToValueAtTime(0.0001, from + 0.25);
      tone.connect(volume).connect(context.destination);
      tone.start(from);
      tone.stop(from + 0.26);
    }
  };
}

/** Runs while somebody is signed in: what was told of their messages is taken away when they are not any more. */
export function whileSignedIn({ state }: Pick<Accounts, "state">, notifier: Notifier): void {
  let isRunning = false;
  const follow = ({ phase }: Pick<AccountsState, "phase">): void => {
    if (isRunning === (phase === "signed-in")) return;
    isRunning = !isRunning;
    if (isRunning) notifier.start();
    else notifier.stop();
  };
  state.subscribe(follow);
  follow(state.getState());
}

/** Tells of new messages while nobody looks. */
export function startNotices({ platform, accounts, chat, servers, preferences, blocks }: Client): void {
  const words = noticeWords;
  const playSound = createChime();
  const isBlocked: typeof blocks.isBlocked = (url, userId) => blocks.isBlocked(url, userId);
  const notifier = createNotifier({ platform, chat, servers, preferences, isBlocked, words, playSound });
  whileSignedIn(accounts, notifier);
}
