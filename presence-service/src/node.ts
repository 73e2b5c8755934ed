import { LIMITS } from "@hearth/contracts";
import type { Bus, Clock, Log, Metrics } from "@hearth/runtime";
import { newId } from "@hearth/runtime";
import { Activity } from "./relay/activity.ts";
import { Strangers } from "./relay/addressees.ts";
import { AccountBudgets, type Budgets } from "./connection/budgets.ts";
import type { Carrier, Parcel } from "./cluster/carrier/carrier.ts";
import { type Change, CHANGE_MEMORY_MS, Changes } from "./delivery/changes.ts";
import type { Client } from "./connection/client.ts";
import { Contacts } from "./relay/contacts.ts";
import { owe } from "./delivery/owed.ts";
import { createPresenceMetrics, type PresenceMetrics } from "./connection/presence-metrics.ts";
import { Renames } from "./identity/renames.ts";
import { Revocations } from "./identity/revocations.ts";
import { connectionOf, connectionRoom, Rooms } from "./delivery/rooms.ts";
import type { Roster } from "./cluster/roster/roster.ts";
import { SharedServers } from "./membership/shared-servers.ts";
import { SyncSequences } from "./relay/sync-sequences.ts";
import { VerifiedSessions } from "./identity/verified-sessions.ts";
import { Standing } from "./cluster/standing.ts";
import { createFrame, type Frame } from "./transport/frame.ts";
import type { VoiceLeases } from "./voice/voice-leases.ts";

/** What a presence node is made from; the first three have a networked twin. */
export interface NodeParts {
  readonly roster: Roster;
  readonly leases: VoiceLeases;
  readonly carrier: Carrier;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** By default those of `LIMITS`. */
  readonly budgets?: Budgets;
}

/** What the parts of one presence node share. */
export interface PresenceNode extends Omit<NodeParts, "metrics"> {
  readonly budgets: Budgets;
  readonly accounts: AccountBudgets;
  readonly nodeId: string;
  readonly standing: Standing;
  readonly clients: Map<string, Client>;
  readonly rooms: Rooms;
  readonly revocations: Revocations;
  readonly renames: Renames;
  readonly verified: VerifiedSessions;
  readonly sharedServers: SharedServers;
  readonly contacts: Contacts;
  readonly strangers: Strangers;
  readonly activity: Activity;
  /** Connections of this node that own voice, or lately did; their leases are renewed. */
  readonly voiceOwners: Set<Client>;
  /** Connections that are gone and that the cluster is being told to forget. */
  readonly leaving: Set<Promise<void>>;
  /** What the cluster could not be told yet. */
  readonly owed: Set<() => Promise<void>>;
  readonly changes: Changes;
  /** Of accounts with a connection on this node. */
  readonly syncSequences: SyncSequences;
  readonly metrics: PresenceMetrics;
}

export const createNode = ({ metrics, budgets = LIMITS.budgets, ...parts }: NodeParts): PresenceNode => {
  const sharedServers = new SharedServers(parts.bus, parts.clock);
  return {
    ...parts,
    budgets,
    accounts: new AccountBudgets(budgets),
    nodeId: newId(),
    standing: new Standing(parts.clock),
    clients: new Map(),
    rooms: new Rooms(),
    revocations: new Revocations(parts.clock),
    renames: new Renames(),
    verified: new VerifiedSessions(parts.bus, parts.clock),
    sharedServers,
    contacts: new Contacts(parts.bus, parts.clock, sharedServers),
    strangers: new Strangers(budgets),
    activity: new Activity(),
    voiceOwners: new Set(),
    leaving: new Set(),
    owed: new Set(),
    changes: new Changes(parts.clock),
    syncSequences: new SyncSequences(),
    metrics: createPresenceMetrics(metrics),
  };
};

/**
 * Delivers a message to a room: on this node at once, on the others, where there are any, through the carrier. Returns
 * what the carrier returned; `undefined` when there is nothing to wait for.
 */
export const broadcast = (node: PresenceNode, parcel: Parcel): Promise<void> | undefined => {
  const handedOver = node.standing.isAlone ? undefined : node.carrier.publish(parcel);
  deliverLocally(node, parcel);
  return handedOver;
};

/** The receiving end of {@link broadcast}, on this node. */
export const deliverLocally = (node: PresenceNode, parcel: Parcel): void => {
  const { room, message, ephemeral, exceptConnectionId, contact, close } = parcel;
  if (parcel.change && !isNews(node, parcel, parcel.change)) return;
  if (contact && WRITING.has(String(message["type"]))) node.contacts.noteWriting(contact.from, contact.to);
  const frame = createFrame(message, { ephemeral, fromStranger: contact?.stranger });
  const connectionId = connectionOf(room);
  const isMeant = whomFor(parcel);
  if (connectionId !== null) deliverToConnection(node.clients.get(connectionId), frame, close);
  else if (isMeant) node.rooms.deliverWhere(room, frame, isMeant, exceptConnectionId);
  else node.rooms.deliver(room, frame, exceptConnectionId);
};

/** Who sends one of these wants to hear from its addressee (rule AB6). */
const WRITING: ReadonlySet<string> = new Set(["direct_message", "direct_call"]);

/** Of those in the room; `null` for all of them. */
const whomFor = ({ clientInstanceId, change }: Parcel): ((client: Client) => boolean) | null => {
  if (clientInstanceId !== undefined)
    return ({ identity }) => identity?.clientInstanceId === clientInstanceId;
  // Who has just come may have been told of a later owner than those that are still under way.
  if (change?.about === "ownership") return ({ voiceVersion }) => voiceVersion < change.version;
  return null;
};

/** False behind a newer change. Who sees somebody come twice is told in between that they had gone (rule WS8). */
const isNews = (node: PresenceNode, { room, message, exceptConnectionId }: Parcel, change: Change) => {
  const order = node.changes.take(room, change, message["type"] === "user_joined");
  if (order === "overtaking") {
    const left = { type: "user_left", serverId: message["serverId"], oderId: change.oderId };
    node.rooms.deliver(room, createFrame(left), exceptConnectionId);
  }
  return order !== "late";
};

const deliverToConnection = (client: Client | undefined, frame: Frame, close: Parcel["close"]): void => {
  if (!close) {
    client?.send(frame);
    return;
  }
  client?.connection.send(frame);
  client?.connection.close(close.kind, close.text);
};

/**
 * A broadcast that nobody waits for: what the server itself has to say. What did not leave this node is logged, and a
 * change is said again: whoever missed that would be wrong about it for as long as they are there.
 */
export const announce = (
  node: PresenceNode,
  room: string,
  message: Readonly<Record<string, unknown>>,
  exceptConnectionId: string | null = null,
  change?: Change,
): void => dispatch(node, { room, message, ephemeral: false, exceptConnectionId, change });

/** Says something to one connection, wherever it lives, and ends it where `close` says so. */
export const announceTo = (
  node: PresenceNode,
  connectionId: string,
  message: Readonly<Record<string, unknown>>,
  close?: Parcel["close"],
): void => {
  const room = connectionRoom(connectionId);
  const parcel = { room, message, ephemeral: false, exceptConnectionId: null, close };
  if (node.clients.has(connectionId)) deliverLocally(node, parcel);
  else dispatch(node, parcel);
};

const dispatch = (node: PresenceNode, parcel: Parcel): void => {
  broadcast(node, parcel)?.catch((error: unknown) => {
    if (parcel.change) owe(node, untilOld(node, parcel), error);
    else node.log.warn({ err: error, type: parcel.message["type"] }, "announcement did not leave this node");
  });
};

/** Behind a newer change it is left out, but only for as long as the other nodes remember that one. */
const untilOld = (node: PresenceNode, parcel: Parcel): (() => Promise<void>) => {
  const until = node.clock.now() + CHANGE_MEMORY_MS / 2;
  return async () => {
    if (node.clock.now() < until) await node.carrier.publish(parcel);
  };
};
