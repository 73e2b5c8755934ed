import type { Server } from "node:http";
import type { Express } from "express";
import type { Socket } from "socket.io-client";

export type Door = Server | Express | Socket;
