import type { Clock, Sqlite } from "@hearth/runtime";
import { accountReader, accountWriter } from "./account.sqlite.ts";
import { deviceCalls, writerCalls } from "./database/calls.sqlite.ts";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import { messageDropper } from "./messages/dropping.sqlite.ts";
import { messageExtrasReader, messageExtrasWriter } from "./messages/message-extras.sqlite.ts";
import { messagesReader } from "./messages/messages-reader.sqlite.ts";
import { messagesWriter } from "./messages/messages-writer.sqlite.ts";
import { peopleReader, peopleWriter } from "./people.sqlite.ts";
import { pluginDataReader, pluginDataWriter } from "./plugin-data.sqlite.ts";
import { messagePostponer } from "./messages/postponing.sqlite.ts";
import { roomPeopleReader, roomPeopleWriter } from "./room-people.sqlite.ts";
import { roomsReader, roomsWriter } from "./rooms.sqlite.ts";

export function sqliteDeviceWriter(db: Sqlite, clock: Clock): DeviceWriter {
  const calls = writerCalls(db, clock);
  return {
    ...roomsWriter(calls),
    ...roomPeopleWriter(calls),
    ...peopleWriter(calls),
    ...messagesWriter(calls),
    ...messagePostponer(calls),
    ...messageDropper(calls),
    ...messageExtrasWriter(calls),
    ...accountWriter(calls),
    ...pluginDataWriter(calls),
  };
}

export function sqliteDeviceReader(db: Sqlite): DeviceReader {
  const calls = deviceCalls(db);
  return {
    ...roomsReader(calls),
    ...roomPeopleReader(calls),
    ...peopleReader(calls),
    ...messagesReader(calls),
    ...messageExtrasReader(calls),
    ...accountReader(calls),
    ...pluginDataReader(calls),
  };
}
