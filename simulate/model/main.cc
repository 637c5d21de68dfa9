// Reads a network, one thing a line (simulate/network.py writes it), runs it, and prints what happened as JSON.
//
//   set NAME VALUE                                     a parameter
//   switch                                             numbered from 0
//   port FROM TO GBPS DELAY_NS BUFFER NAME KIND        numbered from 0; BUFFER in packets, 0: no bound
//   bus GBPS PAUSE_NS EVERY_NS PORT...                 ports of a host that share what is behind them
//   ring PORT SIZE BURST INTERVAL_NS CREDIT_NS         a daqring before a port, numbered from 0
//   host SWITCH                                        numbered from 0
//   next SWITCH HOST PORT RING                         where packets to a host go; RING -1: straight to the port
//   ros HOST
//   dcm HOST ROS...                                    the hosts it collects from
#include "hosts.h"
#include "streams.h"
#include "switches.h"
#include "tcp.h"

#include <iostream>
#include <map>
#include <sstream>
#include <unistd.h>

using namespace daqfabric;

namespace
{

struct Network
{
    std::vector<std::unique_ptr<Switch>> switches;
    std::vector<std::unique_ptr<Port>> ports;
    std::vector<std::unique_ptr<Daqring>> rings;
    std::vector<Switch*> edges; // by host
    std::vector<std::unique_ptr<Endpoint>> hosts;
    std::vector<std::unique_ptr<StreamRos>> streamRos;
    std::vector<std::unique_ptr<StreamDcm>> streamDcms;
    std::vector<std::unique_ptr<Ros>> ros;
    std::vector<std::unique_ptr<Dcm>> dcms;
    std::map<std::string, double> set;

    bool Lossless() const
    {
        return Get("lossless", 0) != 0;
    }

    double Get(const std::string& name, double otherwise) const
    {
        auto found = set.find(name);
        return found == set.end() ? otherwise : found->second;
    }
};

/// Before hosts are made, since their sockets copy these.
void
Configure(const Network& network)
{
    using ns3::Config::SetDefault;
    // most events are timers far ahead that never expire
    ns3::GlobalValue::Bind("SchedulerType", ns3::TypeIdValue(ns3::PriorityQueueScheduler::GetTypeId()));
    random_.seed(static_cast<uint64_t>(network.Get("seed", 1)));
    ns3::RngSeedManager::SetSeed(static_cast<uint32_t>(network.Get("seed", 1)));
    StaticWindow::segments = static_cast<uint32_t>(network.Get("window", 0));
    const bool fixed = StaticWindow::segments > 0;
    SetDefault("ns3::TcpL4Protocol::SocketType", ns3::TypeIdValue(fixed ? StaticWindow::GetTypeId() : ns3::TcpCubic::GetTypeId()));
    SetDefault("ns3::TcpSocket::InitialCwnd", ns3::UintegerValue(fixed ? StaticWindow::segments : 10));
    SetDefault("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(1460));
    SetDefault("ns3::TcpSocket::SndBufSize", ns3::UintegerValue(8 << 20));
    SetDefault("ns3::TcpSocket::RcvBufSize", ns3::UintegerValue(6 << 20));
    SetDefault("ns3::TcpSocket::DelAckTimeout", ns3::TimeValue(ns3::MilliSeconds(40)));
    SetDefault("ns3::TcpSocketBase::MinRto", ns3::TimeValue(ns3::MilliSeconds(static_cast<uint64_t>(network.Get("min-rto", 200)))));
    SetDefault("ns3::TcpSocketBase::Sack", ns3::BooleanValue(network.Get("sack", 1) != 0));
    SetDefault("ns3::TcpSocketBase::Timestamp", ns3::BooleanValue(false)); // as the thesis counts segments (A.10)
    SetDefault("ns3::RttEstimator::InitialEstimation", ns3::TimeValue(ns3::MilliSeconds(1)));
    traffic.fragment = static_cast<uint32_t>(network.Get("fragment", 0));
    traffic.credits = static_cast<uint32_t>(network.Get("credits", 0));
    traffic.service = static_cast<int64_t>(network.Get("service-ns", 2000));
    traffic.spread = static_cast<int64_t>(network.Get("spread-ms", 5) * 1e6);
    countFrom = static_cast<int64_t>(network.Get("from-ms", 0) * 1e6);
}

bool
Read(Network& network, const std::string& line)
{
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "set")
    {
        std::string name;
        double value = 0;
        words >> name >> value;
        network.set[name] = value;
    }
    else if (what == "switch")
    {
        network.switches.push_back(std::make_unique<Switch>());
    }
    else if (what == "port")
    {
        size_t from = 0;
        size_t to = 0;
        double gbps = 0;
        int64_t delay = 0;
        uint32_t buffer = 0;
        std::string name;
        std::string kind;
        words >> from >> to >> gbps >> delay >> buffer >> name >> kind;
        network.ports.push_back(std::make_unique<Port>(name, kind, network.switches.at(to).get(), gbps, delay, buffer));
    }
    else if (what == "bus")
    {
        double gbps = 0;
        int64_t pause = 0;
        int64_t every = 0;
        words >> gbps >> pause >> every;
        auto bus = std::make_shared<Bus>(gbps, pause, every);
        for (size_t port = 0; words >> port;)
        {
            network.ports.at(port)->Share(bus);
        }
        return true;
    }
    else if (what == "ring")
    {
        size_t port = 0;
        uint32_t size = 0;
        uint32_t burst = 0;
        int64_t interval = 0;
        int64_t credit = 0;
        words >> port >> size >> burst >> interval >> credit;
        network.rings.push_back(std::make_unique<Daqring>(size, burst, interval, credit, network.ports.at(port).get()));
    }
    else if (what == "host")
    {
        if (network.edges.empty())
        {
            Configure(network);
        }
        size_t edge = 0;
        words >> edge;
        network.edges.push_back(network.switches.at(edge).get());
        if (!network.Lossless())
        {
            network.hosts.push_back(std::make_unique<Endpoint>(network.hosts.size(), network.edges.back()));
        }
    }
    else if (what == "next")
    {
        size_t at = 0;
        uint32_t to = 0;
        size_t port = 0;
        int64_t ring = -1;
        words >> at >> to >> port >> ring;
        network.switches.at(at)->SetNext(to, network.ports.at(port).get(),
                                         ring < 0 ? nullptr : network.rings.at(static_cast<size_t>(ring)).get());
    }
    else if (what == "ros")
    {
        size_t host = 0;
        words >> host;
        if (network.Lossless())
        {
            network.streamRos.push_back(std::make_unique<StreamRos>(host, network.edges.at(host)));
        }
        else
        {
            network.ros.push_back(std::make_unique<Ros>(*network.hosts.at(host)));
        }
    }
    else if (what == "dcm")
    {
        size_t host = 0;
        words >> host;
        std::vector<uint32_t> sources;
        for (uint32_t source = 0; words >> source;)
        {
            sources.push_back(source);
        }
        if (network.Lossless())
        {
            network.streamDcms.push_back(std::make_unique<StreamDcm>(host, network.edges.at(host), sources));
        }
        else
        {
            network.dcms.push_back(std::make_unique<Dcm>(*network.hosts.at(host), sources));
        }
        return true;
    }
    else
    {
        return false;
    }
    return !words.fail();
}

void
Print(const Network& network, double seconds)
{
    std::cout << "{\"seconds\":" << seconds << ",\"received\":" << counters.received << ",\"timeouts\":" << counters.timeouts
              << ",\"retransmissions\":" << counters.retransmissions << ",\"forwarded\":" << forwarded << ",\"latencies\":[";
    const char* comma = "";
    for (int64_t latency : counters.latencies)
    {
        std::cout << comma << latency;
        comma = ",";
    }
    uint64_t lost = 0;
    for (const auto& each : network.switches)
    {
        lost += each->lost;
    }
    uint64_t inRings = 0;
    size_t most = 0;
    for (const auto& ring : network.rings)
    {
        inRings += ring->dropped;
        most = std::max(most, ring->most);
    }
    std::cout << "],\"lost\":" << lost << ",\"ring-drops\":" << inRings << ",\"ring-most\":" << most << ",\"ports\":[";
    comma = "";
    for (const auto& port : network.ports)
    {
        std::cout << comma << "[\"" << port->name << "\",\"" << port->kind << "\"," << port->bytes << "," << port->dropped << ","
                  << port->most << "]";
        comma = ",";
    }
    std::cout << "]}" << std::endl;
}

} // namespace

int
main()
{
    Network network;
    for (std::string line; std::getline(std::cin, line);)
    {
        if (!Read(network, line))
        {
            std::cerr << "not understood: " << line << std::endl;
            return 2;
        }
    }
    const double until = network.Get("until-ms", 0) / 1e3;
    ns3::Simulator::Stop(ns3::Seconds(until));
    ns3::Simulator::Run();
    if (network.Lossless() && droppedEver > 0)
    {
        std::cerr << droppedEver << " packets were dropped, and lossless hosts send none again" << std::endl;
        return 3;
    }
    Print(network, until - countFrom / 1e9);
    std::cout.flush();
    _exit(0); // nothing is gained by taking hundreds of thousands of connections apart
}
