// Hosts with ns-3's TCP: ROS, which answer requests, and DCMs, which collect events.
#pragma once

#include "switches.h"

#include "ns3/internet-module.h"
#include "ns3/virtual-net-device-module.h"

namespace daqfabric
{

/// What all hosts do alike; sizes in bytes, times in ns.
struct Traffic
{
    uint32_t request = 100;
    uint32_t fragment = 0;  // with the header of the response
    uint32_t credits = 0;   // fragments that a DCM has requested and not received; 0: all at once
    int64_t service = 2000; // that a ROS needs for a request, at most; at random
    int64_t spread = 0;     // within which DCMs begin, and connections are made before
};

struct Counters
{
    uint64_t timeouts = 0;
    uint64_t retransmissions = 0;
    uint64_t received = 0; // bytes of fragments since `from`
    std::vector<int64_t> latencies;
};

inline Traffic traffic;
inline Counters counters;
constexpr uint32_t FIRST_ADDRESS = 0x0a000001; // 10.0.0.1
constexpr uint16_t PORT = 9000;

/// A host behind an edge switch, without delay between both.
class Endpoint
{
  public:
    Endpoint(uint32_t index, Switch* edge)
        : index(index),
          node(ns3::CreateObject<ns3::Node>())
    {
        ns3::InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        ns3::Ipv4StaticRoutingHelper routing;
        stack.SetRoutingHelper(routing);
        stack.Install(node);
        m_device = ns3::CreateObject<ns3::VirtualNetDevice>();
        m_device->SetMtu(1500);
        m_device->SetSendCallback([edge, index](ns3::Ptr<ns3::Packet> packet, const ns3::Address&, const ns3::Address&, uint16_t) {
            ns3::Ipv4Header header;
            packet->PeekHeader(header);
            edge->Receive({packet, header.GetDestination().Get() - FIRST_ADDRESS, packet->GetSize(), index});
            return true;
        });
        node->AddDevice(m_device);
        auto ip = node->GetObject<ns3::Ipv4>();
        uint32_t interface = ip->AddInterface(m_device);
        ip->AddAddress(interface, {Address(index), ns3::Ipv4Mask("255.0.0.0")});
        ip->SetUp(interface);
        m_deliver = [this](const Frame& frame) {
            m_device->Receive(frame.packet, ns3::Ipv4L3Protocol::PROT_NUMBER, m_device->GetAddress(), m_device->GetAddress(),
                              ns3::NetDevice::PACKET_HOST);
        };
        edge->SetHost(index, &m_deliver);
    }

    static ns3::Ipv4Address Address(uint32_t index)
    {
        return ns3::Ipv4Address(FIRST_ADDRESS + index);
    }

    const uint32_t index;
    const ns3::Ptr<ns3::Node> node;

  private:
    ns3::Ptr<ns3::VirtualNetDevice> m_device;
    Switch::Deliver m_deliver;
};

/// Answers each request with a fragment, one request after the other.
class Ros
{
  public:
    explicit Ros(Endpoint& host)
    {
        m_listening = ns3::Socket::CreateSocket(host.node, ns3::TcpSocketFactory::GetTypeId());
        m_listening->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), PORT));
        m_listening->Listen();
        m_listening->SetAcceptCallback(ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address&>(),
                                       [this](ns3::Ptr<ns3::Socket> socket, const ns3::Address&) { Accept(socket); });
    }

  private:
    void Accept(ns3::Ptr<ns3::Socket> socket)
    {
        socket->TraceConnectWithoutContext("CongState", ns3::MakeCallback(&Ros::StateChanged));
        socket->TraceConnectWithoutContext("Retransmission", ns3::MakeCallback(&Ros::Retransmitted));
        auto received = std::make_shared<uint32_t>(0);
        socket->SetRecvCallback([this, received](ns3::Ptr<ns3::Socket> from) {
            while (auto packet = from->Recv())
            {
                if (packet->GetSize() == 0)
                {
                    return;
                }
                *received += packet->GetSize();
            }
            for (; *received >= traffic.request; *received -= traffic.request)
            {
                m_free = std::max(m_free, Now()) + AtRandom(traffic.service);
                ns3::Simulator::Schedule(ns3::NanoSeconds(m_free - Now()), &Ros::Answer, from);
            }
        });
    }

    static void Answer(ns3::Ptr<ns3::Socket> socket)
    {
        if (socket->Send(ns3::Create<ns3::Packet>(traffic.fragment)) != static_cast<int>(traffic.fragment))
        {
            NS_FATAL_ERROR("a fragment does not fit into the buffer of a connection");
        }
    }

    static void StateChanged(ns3::TcpSocketState::TcpCongState_t, ns3::TcpSocketState::TcpCongState_t to)
    {
        counters.timeouts += to == ns3::TcpSocketState::CA_LOSS && Now() >= countFrom;
    }

    static void Retransmitted(ns3::Ptr<const ns3::Packet>, const ns3::TcpHeader&, const ns3::Address&, const ns3::Address&,
                              ns3::Ptr<const ns3::TcpSocketBase>)
    {
        counters.retransmissions += Now() >= countFrom;
    }

    ns3::Ptr<ns3::Socket> m_listening;
    int64_t m_free = 0; // when it has answered all requests so far
};

/// Collects one event after the other from its ROS.
class Dcm
{
  public:
    Dcm(Endpoint& host, const std::vector<uint32_t>& sources)
        : m_host(host),
          m_sources(sources),
          m_sockets(sources.size()),
          m_missing(sources.size(), 0)
    {
        for (size_t i = 0; i < sources.size(); i++)
        {
            ns3::Simulator::Schedule(ns3::NanoSeconds(AtRandom(traffic.spread)), &Dcm::Connect, this, i);
        }
        m_begin = traffic.spread + 1000000 + AtRandom(traffic.spread);
    }

  private:
    void Connect(size_t i)
    {
        m_sockets[i] = ns3::Socket::CreateSocket(m_host.node, ns3::TcpSocketFactory::GetTypeId());
        m_sockets[i]->SetConnectCallback(
            [this](ns3::Ptr<ns3::Socket>) {
                if (++m_connected == m_sockets.size())
                {
                    ns3::Simulator::Schedule(ns3::NanoSeconds(std::max<int64_t>(0, m_begin - Now())), &Dcm::Begin, this);
                }
            },
            [](ns3::Ptr<ns3::Socket>) { NS_FATAL_ERROR("a DCM cannot connect to a ROS"); });
        m_sockets[i]->SetRecvCallback([this, i](ns3::Ptr<ns3::Socket> socket) { Receive(i, socket); });
        m_sockets[i]->Connect(ns3::InetSocketAddress(Endpoint::Address(m_sources[i]), PORT));
    }

    void Begin()
    {
        m_started = Now();
        m_complete = 0;
        m_requested = 0;
        m_first = AtRandom(m_sockets.size()); // not all DCMs ask the same ROS first
        std::fill(m_missing.begin(), m_missing.end(), traffic.fragment);
        size_t n = traffic.credits ? std::min<size_t>(traffic.credits, m_sockets.size()) : m_sockets.size();
        while (n-- > 0)
        {
            Request();
        }
    }

    void Request()
    {
        m_sockets[(m_first + m_requested++) % m_sockets.size()]->Send(ns3::Create<ns3::Packet>(traffic.request));
    }

    void Receive(size_t i, ns3::Ptr<ns3::Socket> socket)
    {
        while (auto packet = socket->Recv())
        {
            if (packet->GetSize() == 0)
            {
                return;
            }
            m_missing[i] -= packet->GetSize();
            counters.received += Now() >= countFrom ? packet->GetSize() : 0;
        }
        if (m_missing[i] > 0 || m_complete == m_sockets.size())
        {
            return;
        }
        if (m_requested < m_sockets.size())
        {
            Request();
        }
        if (++m_complete == m_sockets.size())
        {
            if (Now() >= countFrom)
            {
                counters.latencies.push_back(Now() - m_started);
            }
            Begin();
        }
    }

    Endpoint& m_host;
    const std::vector<uint32_t> m_sources;
    std::vector<ns3::Ptr<ns3::Socket>> m_sockets;
    std::vector<uint32_t> m_missing; // bytes of the event, by ROS
    size_t m_connected = 0;
    size_t m_complete = 0;
    size_t m_requested = 0;
    size_t m_first = 0;
    int64_t m_started = 0;
    int64_t m_begin = 0;
};

} // namespace daqfabric
